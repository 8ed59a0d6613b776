/** Errors of a program as properties: their names, what is asked together and alone, and which one an answer names. */
import t from 'tap';
import { type PropertyName, violatedBy } from '../../../src/formats/question.ts';
import { selectProperties } from '../../../src/formats/select.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

const TEXT = `#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
static int half(int x) {
  assert(x % 2 == 0);
  return x / 2;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n < 100 || n > 50); assert(n != 77);
  if (n == 12) __VERIFIER_error(); else if (n == -12) __VERIFIER_error();
  return half(4 * (n % 8)) + half(2 * (n % 8));
}
`;

t.test('names, and verdicts of each', async t => {
  const heavy = await loadedBackEnd();
  const question = programQuestion(await modulesOf(TEXT));
  const { properties } = question;
  t.same(
    properties.map(p => [p.index, p.name]),
    [
      [0, undefined],
      [1, 'a.c:5 assert(x % 2 == 0)'],
      [2, 'a.c:10 assert(n < 100 || n > 50)'],
      [3, 'a.c:10 assert(n != 77)'],
      [4, 'a.c:11:16 __VERIFIER_error'],
      [5, 'a.c:11:55 __VERIFIER_error'],
    ],
    'in the order of the text, a copy is no property of its own, columns where lines do not do',
  );
  const answers = (asked: readonly PropertyName[]) =>
    asked.map(property => {
      const verdict = verdictOf(question, heavy, {}, property);
      if (verdict.kind !== 'unsafe') return verdict.kind;
      const complaint = complaintAbout(question, heavy, verdict, property);
      return complaint ?? violatedBy(question, verdict.derivation)?.index;
    });
  t.same(answers(properties.slice(1)), ['safe', 'safe', 3, 4, 5]);
  const together = selectProperties(question, undefined);
  t.same(together, [properties[0]], 'all of them are one question');
  t.ok([3, 4, 5].includes(answers(together)[0] as number), 'and one that fails is named');

  t.same(selectProperties(question, 'a.c:10 assert(n != 77)'), [properties[3]]);
  t.same(selectProperties(question, 4), [properties[4]]);
  t.throws(() => selectProperties(question, 'a.c:10 assert(n)'), {
    message:
      /there is no property 'a\.c:10 assert\(n\)': the file has 0, 1 \(a\.c:5 assert\(x % 2 == 0\)\), 2 /,
  });
  t.throws(() => selectProperties(question, 6), { message: /there is no property 6: / });
});

t.test('the transition system of a property has that one', async t => {
  const question = programQuestion(await modulesOf(TEXT));
  for (const i of [0, 3, 5]) {
    const property = question.properties[i];
    const { properties, terms } = question.system(property);
    t.same(
      properties.map(p => [p.index, p.name]),
      [[property.index, property.name]],
    );
    t.not(properties[0].formula, terms.true, 'and it says something');
  }
});

t.test('a trap counts against every property, an error against its own', async t => {
  const heavy = await loadedBackEnd();
  const text = `int __VERIFIER_nondet_int(void); void __VERIFIER_error(void); int setjmp(int *);
int main(void) { int n = __VERIFIER_nondet_int(), b[8];
  if (n == 1) __VERIFIER_error();
  setjmp(b);
  if (n == 2) __VERIFIER_error();
  return 0; }
`;
  const question = programQuestion(await modulesOf(text));
  const [all, before, behind] = question.properties;
  t.same([before.name, behind.name], ['a.c:3 __VERIFIER_error', 'a.c:5 __VERIFIER_error']);
  t.equal(verdictOf(question, heavy, {}, all).kind, 'unsafe');
  t.equal(verdictOf(question, heavy, {}, before).kind, 'unsafe');
  t.match(verdictOf(question, heavy, {}, behind), { kind: 'unknown', reason: 'unsupported', text: /setjmp/ });
});
