; Two traffic lights at a crossing, in z3's format of rules: a light may turn green when the other one is red, but
; the second light looks only at whether the first has just been green. Is there a crash?
(declare-rel lights (Bool Bool Bool)) ; the first is green, the second is green, the first was green before
(declare-rel crash ())
(declare-rel dark ())
(declare-var a Bool)
(declare-var b Bool)
(declare-var before Bool)

(rule (lights false false false))
(rule (=> (and (lights a b before) (not b)) (lights (not a) b a)))
(rule (=> (and (lights a b before) (not before)) (lights a (not b) a)))
(rule (=> (and (lights a b before) a b) crash))
(rule (=> (and (lights a b before) a (not a)) dark))

(query crash) ; can be derived: unsafe
(query dark) ; cannot: safe
