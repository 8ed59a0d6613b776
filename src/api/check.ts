/** `check` and `properties` of the library. */

import type { Verdict } from '../check.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../core/env/options.ts';
import type { Share } from '../core/portfolio/share.ts';
import { isShortened } from '../core/problem/repetition.ts';
import { controlGraph } from '../formats/control-graph.ts';
import { type PropertyName, type Question, violatedBy } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { isFinal, Unknown as Stopped } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import { heavyBackEnd, turn } from './heavy.ts';
import { budgetOf } from './limits.ts';
import type { CheckOptions } from './options.ts';
import { readText } from './read.ts';
import type { CheckResult, Property, PropertyResult, Unknown } from './results.ts';

export async function propertiesOf(text: string, options: CheckOptions): Promise<readonly Property[]> {
  const question = await readText(text, options, budgetOf(options));
  return question.properties.map(({ index, name }) => ({ index, name }));
}

export async function checkText(text: string, options: CheckOptions): Promise<CheckResult> {
  const budget = budgetOf(options);
  let question: Question;
  try {
    question = await readText(text, options, budget);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return unread(error, options);
  }
  const heavy = heavyBackEnd(options);
  const { PropertyCheck } = await checker();
  const results: PropertyResult[] = [];
  for (const property of selectProperties(question, options.property)) {
    const { engines, encoding } = options;
    const engine = engineOf(options);
    const run = new PropertyCheck(question, property, { budget, heavy, engine, engines, encoding });
    const verdict = await drive(run.run(), {
      load: () => heavy.load(),
      turn: () => {
        options.onProgress?.(run.progress);
        return turn();
      },
    });
    results.push(result(question, property, verdict, run.shares));
  }
  const first = (kind: PropertyResult['verdict']) => results.find(r => r.verdict === kind);
  return { ...(first('unsafe') ?? first('unknown') ?? results[0]), properties: results };
}

/** The engines and the check of evidence, which are most of the library: nobody needs them before there is a question. */
export function checker() {
  return import('../check.ts');
}

/** The answer if the text could not be read within the limits. */
function unread({ reason, message }: Stopped, { property }: CheckOptions): CheckResult {
  const only: Unknown = {
    verdict: 'unknown',
    property: typeof property === 'number' ? property : 0,
    name: typeof property === 'string' ? property : undefined,
    reason: isFinal(reason) ? reason : message,
    engines: [],
  };
  return { ...only, properties: [only] };
}

/** The engines' options among the caller's; an undefined one is as good as none. */
function engineOf(options: CheckOptions): EngineOptions {
  const keys = Object.keys(DEFAULT_ENGINE_OPTIONS) as (keyof EngineOptions)[];
  const entries = keys.map(key => [key, options[key] ?? DEFAULT_ENGINE_OPTIONS[key]]);
  return Object.fromEntries(entries) as EngineOptions;
}

function result(
  question: Question,
  property: PropertyName,
  verdict: Verdict,
  engines: readonly Share[],
): PropertyResult {
  const { words } = question;
  const common = { property: property.index, name: property.name, engines };
  switch (verdict.kind) {
    case 'safe':
      return {
        ...common,
        verdict: 'safe',
        invariant: words.proof(property, verdict.proof),
        certificate: words.certificate(property, verdict.proof),
        graph: controlGraph(question, property),
      };
    case 'unsafe': {
      const violated = violatedBy(question, verdict.derivation) ?? property;
      return {
        ...common,
        verdict: 'unsafe',
        violated: { index: violated.index, name: violated.name },
        table: words.derivation(violated, verdict.derivation),
        trace: words.json(violated, verdict.derivation),
        vcd: isShortened(verdict.derivation.steps) ? '' : words.vcd(verdict.derivation),
        graph: controlGraph(question, property, verdict.derivation),
      };
    }
    case 'unknown':
      return {
        ...common,
        verdict: 'unknown',
        reason: isFinal(verdict.reason) ? verdict.reason : verdict.text,
      };
  }
}
