; The 12th Fibonacci number is said to be 145.
(set-logic HORN)
(declare-fun f ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (f #x00000000 #x00000000))
(assert (f #x00000001 #x00000001))
(assert (forall ((n (_ BitVec 32)) (a (_ BitVec 32)) (b (_ BitVec 32)))
  (=> (and (bvslt #x00000001 n) (f (bvsub n #x00000001) a) (f (bvsub n #x00000002) b)) (f n (bvadd a b)))))
(assert (forall ((r (_ BitVec 32))) (=> (and (f (_ bv12 32) r) (not (= r (_ bv145 32)))) false)))
(check-sat)
