/**
 * Programs as a front end, given as LLVM's intermediate representation, which Clang makes of C:
 *
 *   text ─reader.ts─▶ module ─program-flow.ts─▶ flow ─points-to.ts, memory.ts, execution.ts, graph.ts─▶ problem
 *
 * Runs are told in the words of the user's text as far as debug information has them.
 */
import { type Edge, restrictedTo } from '../../core/problem/problem.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermStore } from '../../term/store.ts';
import { asSystem } from '../as-system.ts';
import { certificateScripts } from '../proof/certificate.ts';
import { type Question, queriesOf } from '../question.ts';
import { flatRun } from '../run/flat-run.ts';
import { traceVcd } from '../run/vcd.ts';
import type { Site } from './flow.ts';
import { type Blocks, GraphBuilder } from './graph.ts';
import { harnessText } from './harness.ts';
import { type ModuleText, readProgram } from './link.ts';
import { Memory } from './memory.ts';
import { withMemoryChecks } from './memory-checks.ts';
import { Operations } from './operations.ts';
import { PointsTo } from './points-to.ts';
import { type FlowOptions, programFlow } from './program-flow.ts';
import { withStrings } from './string-library.ts';
import {
  choicesOf,
  errorNameOf,
  errorText,
  loopsOf,
  modelText,
  pathText,
  runJson,
  runText,
  violationOf,
} from './words.ts';

export interface LlvmOptions extends FlowOptions {
  /** What an edge of the problem is: a path, or all paths between two loop heads. */
  readonly blocks: Blocks;
}

export const DEFAULT_LLVM_OPTIONS: LlvmOptions = {
  entry: 'main',
  calls: 'summaries',
  blocks: 'large',
  slice: 'auto',
  checks: new Set(),
  externals: 'pure',
  malloc: 'succeeds',
  floats: 'exact',
};

/** `file` is what the question is called; the modules together are the program. */
export function llvmQuestion(
  terms: TermStore,
  file: string,
  modules: readonly ModuleText[],
  { blocks, ...options }: LlvmOptions,
  checkpoint: Checkpoint,
): Question {
  const module = withStrings(readProgram(file, modules, checkpoint), checkpoint);
  const flow = withMemoryChecks(programFlow(module, options, checkpoint), options.checks, checkpoint);
  const pointsTo = new PointsTo(flow);
  const rewriter = new Rewriter(terms, undefined, () => checkpoint.pass());
  const operations = new Operations(terms, rewriter);
  const graphOf = (unsized: ReadonlySet<Site>) => {
    const memory = new Memory(flow, pointsTo, unsized);
    return new GraphBuilder(flow, pointsTo, memory, operations, blocks, checkpoint).build();
  };
  let graph = graphOf(new Set());
  // Behind an object of unknown size there may be more of them.
  for (
    let known = graph.unsized, before = 0;
    known.size > before;
    known = new Set([...known, ...graph.unsized])
  ) {
    before = known.size;
    graph = graphOf(known);
  }
  const { problem, passages, properties } = graph;
  const nameOf = (edge: Edge) => {
    const place = passages.get(edge)?.place;
    return place === undefined ? 'a path' : `a path to ${place.file}:${place.line}`;
  };
  return {
    file,
    format: 'llvm',
    problem,
    properties,
    areTogether: true,
    traps: new Map([...passages].flatMap(([edge, { trap }]) => (trap === undefined ? [] : [[edge, trap]]))),
    choices: edge => choicesOf(graph, edge),
    words: {
      nameOf,
      proof: (_, proof) => modelText(graph, flow, proof),
      derivation: (_, derivation) => runText(graph, flow, derivation),
      path: derivation => pathText(graph, flow, derivation),
      json: (property, derivation) => runJson(graph, property, derivation),
      vcd: derivation => {
        const { system, trace } = flatRun(problem, derivation);
        return traceVcd(system, trace);
      },
      certificate: (property, proof) => {
        const titleOf = (edge: Edge) => ({
          name: `edge-${problem.edges.indexOf(edge) + 1}`,
          text: `The model holds after ${nameOf(edge)}.`,
        });
        return certificateScripts(restrictedTo(problem, queriesOf(property)), proof, titleOf);
      },
      competition: undefined,
      program: {
        harness: derivation => {
          const files = modules.map(m => m.name);
          const error = errorText(graph, derivation);
          return harnessText({ module, flow, graph, derivation, files, error });
        },
        violation: derivation => violationOf(graph, module, derivation),
        loops: proof => loopsOf(graph, flow, proof),
        errorName: errorNameOf(module),
      },
    },
    system: (property = properties[0]) => asSystem(problem, [property], true),
  };
}
