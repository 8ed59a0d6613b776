; for (i = 0; i < n; i++) A[i] = 0;  then A[j] = 0 for any 0 <= j < n, unsigned
(set-logic HORN)
(declare-fun loop ((Array (_ BitVec 32) (_ BitVec 32)) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((A (Array (_ BitVec 32) (_ BitVec 32))) (n (_ BitVec 32))) (loop A n #x00000000)))
(assert (forall ((A (Array (_ BitVec 32) (_ BitVec 32))) (n (_ BitVec 32)) (i (_ BitVec 32)))
  (=> (and (loop A n i) (bvult i n)) (loop (store A i #x00000000) n (bvadd i #x00000001)))))
(assert (forall ((A (Array (_ BitVec 32) (_ BitVec 32))) (n (_ BitVec 32)) (i (_ BitVec 32)) (j (_ BitVec 32)))
  (=> (and (loop A n i) (not (bvult i n)) (bvule #x00000000 j) (bvult j n) (not (= (select A j) #x00000000))) false)))
(check-sat)
