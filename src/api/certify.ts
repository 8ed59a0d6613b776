/** `certify` of the library. */
import { certified, expectCertifiable } from '../formats/proof/certify.ts';
import type { Question } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { isFinal, Unknown } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import { heavyBackEnd, turn } from './heavy.ts';
import { budgetOf } from './limits.ts';
import type { CertifyOptions } from './options.ts';
import { readText } from './read.ts';
import type { CertifyResult, PropertyCertified } from './results.ts';

export async function certifyText(
  text: string,
  invariant: string,
  options: CertifyOptions,
): Promise<CertifyResult> {
  const budget = budgetOf(options);
  let question: Question;
  try {
    question = await readText(text, options, budget);
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    const reason = isFinal(error.reason) ? error.reason : error.message;
    return { verdict: 'unknown', reason, properties: [] };
  }
  expectCertifiable(question);
  const heavy = heavyBackEnd(options);
  const properties: PropertyCertified[] = [];
  for (const property of selectProperties(question, options.property)) {
    const work = certified(question, property, { file: 'invariant', text: invariant }, { heavy, budget });
    const outcome = await drive(work, { load: () => heavy.load(), turn });
    const about = { property: property.index, name: property.name };
    if (outcome.kind === 'valid') properties.push({ ...about, verdict: 'valid' });
    else {
      const isLimit = outcome.kind === 'unknown' && isFinal(outcome.reason);
      properties.push({ ...about, verdict: outcome.kind, reason: isLimit ? outcome.reason : outcome.text });
    }
  }
  const decisive =
    properties.find(p => p.verdict === 'invalid') ?? properties.find(p => p.verdict === 'unknown');
  if (decisive === undefined || decisive.verdict === 'valid') return { verdict: 'valid', properties };
  return { verdict: decisive.verdict, reason: decisive.reason, properties };
}
