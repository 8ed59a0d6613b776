; McCarthy's function: 91 for all arguments up to 101.
(set-logic HORN)
(declare-fun m ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((x (_ BitVec 32))) (=> (bvslt #x00000064 x) (m x (bvsub x #x0000000a)))))
(assert (forall ((x (_ BitVec 32)) (a (_ BitVec 32)) (r (_ BitVec 32)))
  (=> (and (not (bvslt #x00000064 x)) (m (bvadd x #x0000000b) a) (m a r)) (m x r))))
(assert (forall ((x (_ BitVec 32)) (r (_ BitVec 32))) (=> (and (m x r) (bvsle x #x00000065) (not (= r #x0000005b))) false)))
(check-sat)
