/** What is read off a profile. */
import t from 'tap';
import { sharesOf } from '../../src/cli/profile-text.ts';
import type { Span } from '../../src/core/env/profile.ts';

const span = (name: string, milliseconds: number, ...inner: Span[]): Span => ({
  name,
  calls: 1,
  milliseconds,
  inner: new Map(inner.map(s => [s.name, s])),
});

t.test('the share of questions in a phase, wherever they were asked in it', t => {
  const search = span('search', 70, span('questions', 30), span('refinement', 20, span('questions', 10)));
  const root = span('total', 200, span('reading', 100), span('predicates', 80, search, span('questions', 5)));
  t.same(sharesOf('questions', root), [['predicates', 45 / 80]]);
  t.same(
    sharesOf('search', root),
    [['predicates', 70 / 80]],
    'of what is inside one another the outer one counts',
  );
  t.end();
});
