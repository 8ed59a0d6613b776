/**
 * The contract of engines, held against each engine of the table: effort is counted, a turn costs about what it is worth, and
 * how the work is cut into turns changes nothing.
 */
import t from 'tap';
import type { Outcome } from '../../../src/core/engines/engine.ts';
import { PORTFOLIO } from '../../../src/core/portfolio/table.ts';
import { loadedBackEnd } from '../../support/checking.ts';
import { HandMade } from '../hand-made.ts';
import { Alone } from './one-engine.ts';

const heavy = await loadedBackEnd();

/** Two counters and a square: too much for most of them to be done in a few turns. */
const system = (init: string, property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16)) (declare-const go Bool)
    (declare-const y (_ BitVec 16)) (declare-const y.next (_ BitVec 16))
    (assert (! (and (= x ${init}) (= y #x0000)) :named init))
    (assert (! (and (= x.next (ite go (bvadd x #x0002) x))
                    (= y.next (ite go (bvadd y #x0003) (bvadd y x)))) :named trans))
    (assert (! ${property} :named property))`).system;

const HARD = system('#x0000', '(not (= (bvadd x (bvmul y y)) #xfedd))');
/** Three steps with go. */
const NEAR = system('#x0001', '(not (= y #x0009))');
/** Two is added to an odd number: inductive by itself, so that all who prove anything prove it. */
const ODD = system('#x0001', '(= ((_ extract 0 0) x) #b1)');

/** One question to a solver, or one step more that is unrolled, is not divided: the square alone is 14,000 as clauses. */
const PIECE = 15_000;

const isOver = ({ kind }: Outcome) => kind === 'safe' || kind === 'unsafe' || kind === 'unknown';

for (const { kind, portion } of PORTFOLIO) {
  t.test(kind.name, t => {
    t.test('a turn costs about what it is worth, and there is always another one', t => {
      for (const worth of [1000, portion]) {
        const { engine } = new Alone(kind, HARD, heavy);
        let before = 0;
        for (let turn = 0; turn < 6; turn++) {
          const outcome = engine.run(worth);
          const { spent } = engine;
          t.ok(spent - before <= 3 * worth + PIECE, `${spent - before} were spent of ${worth}`);
          t.ok(spent >= before);
          if (isOver(outcome)) break;
          t.ok(spent - before >= worth, 'it does not come back before it is used up');
          before = spent;
        }
      }
      t.end();
    });

    t.test('turns of another worth lead to the same answer', t => {
      const answer = (worth: number, written: typeof NEAR) => {
        const alone = new Alone(kind, written, heavy);
        return alone.proven(alone.finish(worth));
      };
      for (const worth of [37, 5000, 1e9]) {
        if (kind.refutes) t.equal(answer(worth, NEAR), 'unsafe', `in turns of ${worth}`);
        else t.equal(new Alone(kind, NEAR, heavy).finish(worth).kind, 'unknown', `in turns of ${worth}`);
        if (kind.proves) t.equal(answer(worth, ODD), 'safe', `in turns of ${worth}`);
      }
      t.end();
    });

    t.test('what is over is over', t => {
      const alone = new Alone(kind, NEAR, heavy);
      const outcome = alone.finish(5000);
      const { spent, stats } = alone.engine;
      t.equal(alone.engine.run(1e9), outcome);
      t.equal(alone.engine.spent, spent);
      t.same(alone.engine.stats, stats);
      for (const [name, value] of Object.entries(stats)) t.ok(Number.isFinite(value), name);
      t.end();
    });

    t.test('two runs cost the same', t => {
      const run = () => {
        const { engine } = new Alone(kind, HARD, heavy);
        for (let turn = 0; turn < 4; turn++) engine.run(3000);
        return { spent: engine.spent, stats: engine.stats };
      };
      t.same(run(), run());
      t.end();
    });
    t.end();
  });
}
