; Two loops, one after the other, as constrained Horn clauses: i and j run together, and end together.
;
;   for (i = j = 0; i != n; i++) j++;
;   while (i != 0) { i--; j--; }
;   assert(j == 0);
;
; Safe, so a solver of Horn clauses answers sat.
(set-logic HORN)
(declare-fun up ((_ BitVec 16) (_ BitVec 16) (_ BitVec 16)) Bool)
(declare-fun down ((_ BitVec 16) (_ BitVec 16)) Bool)

(assert (forall ((n (_ BitVec 16))) (up n #x0000 #x0000)))
(assert (forall ((n (_ BitVec 16)) (i (_ BitVec 16)) (j (_ BitVec 16)))
  (=> (and (up n i j) (distinct i n)) (up n (bvadd i #x0001) (bvadd j #x0001)))))
(assert (forall ((n (_ BitVec 16)) (i (_ BitVec 16)) (j (_ BitVec 16)))
  (=> (and (up n i j) (= i n)) (down i j))))
(assert (forall ((i (_ BitVec 16)) (j (_ BitVec 16)))
  (=> (and (down i j) (distinct i #x0000)) (down (bvsub i #x0001) (bvsub j #x0001)))))
(assert (forall ((i (_ BitVec 16)) (j (_ BitVec 16)))
  (=> (and (down i j) (= i #x0000)) (= j #x0000))))
(check-sat)
