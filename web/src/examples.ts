/** The examples that the page offers, and what each of them shows. */
import average from '../../examples/average.c';
import copy from '../../examples/copy.vmt';
import counter from '../../examples/counter.vmt';
import driver from '../../examples/driver.c';
import elevator from '../../examples/elevator.c';
import handshake from '../../examples/handshake.btor2';
import lag from '../../examples/lag.vmt';
import lock from '../../examples/lock.c';
import lockBug from '../../examples/lock-bug.c';
import maximum from '../../examples/maximum.c';
import memory from '../../examples/memory.btor2';
import ringBuffer from '../../examples/ring-buffer.c';
import store from '../../examples/store.vmt';
import trafficRules from '../../examples/traffic-rules.smt2';
import twoLoops from '../../examples/two-loops.smt2';

export interface Example {
  readonly name: string;
  readonly group: string;
  readonly text: string;
  readonly shows: string;
}

const VMT = 'Transition systems (VMT)';
const HORN = 'Horn clauses';
const HARDWARE = 'Hardware (BTOR2)';
const PROGRAMS = 'Programs (C)';

export const EXAMPLES: readonly Example[] = [
  {
    name: 'counter.vmt',
    group: VMT,
    text: counter,
    shows:
      'A counter that starts again after nine. It never reaches ten; that it never reaches five is wrong, and the run says how.',
  },
  {
    name: 'lag.vmt',
    group: VMT,
    text: lag,
    shows: 'One number runs after another and is never more than a step behind.',
  },
  {
    name: 'copy.vmt',
    group: VMT,
    text: copy,
    shows:
      'An unknown function over a sort that nothing is known of: no arithmetic at all, and still a proof.',
  },
  {
    name: 'store.vmt',
    group: VMT,
    text: store,
    shows: 'What is written to an array is read back; one lemma about arrays proves it.',
  },
  {
    name: 'traffic-rules.smt2',
    group: HORN,
    text: trafficRules,
    shows:
      'Rules for two traffic lights, with two questions: may they crash (they may), may it be dark and light at once?',
  },
  {
    name: 'two-loops.smt2',
    group: HORN,
    text: twoLoops,
    shows: 'A loop up and a loop down as Horn clauses; the answer is a model of the two relations.',
  },
  {
    name: 'handshake.btor2',
    group: HARDWARE,
    text: handshake,
    shows:
      'Request and grant. A grant that nobody asked for cannot be; an answer may come too late. Look at the waveform.',
  },
  {
    name: 'memory.btor2',
    group: HARDWARE,
    text: memory,
    shows: 'A memory with 65536 cells and a monitor that agrees with one of them, whichever it is.',
  },
  {
    name: 'lock-bug.c',
    group: PROGRAMS,
    text: lockBug,
    shows: 'One path forgets to give the lock back. The run goes through the lines of the program.',
  },
  {
    name: 'lock.c',
    group: PROGRAMS,
    text: lock,
    shows: 'The same program repaired: what holds in the loop says why no path takes the lock twice.',
  },
  {
    name: 'average.c',
    group: PROGRAMS,
    text: average,
    shows: 'The sum of two numbers overflows, so their average need not lie between them.',
  },
  {
    name: 'elevator.c',
    group: PROGRAMS,
    text: elevator,
    shows: 'A state machine: the doors are never open while the elevator moves.',
  },
  {
    name: 'ring-buffer.c',
    group: PROGRAMS,
    text: ringBuffer,
    shows: 'The indices of a ring buffer stay within bounds, whatever is put in and taken out.',
  },
  {
    name: 'maximum.c',
    group: PROGRAMS,
    text: maximum,
    shows: 'A loop over an array. This takes a few seconds: watch the engines take turns.',
  },
  {
    name: 'driver.c',
    group: PROGRAMS,
    text: driver,
    shows: 'Function pointers, a structure on the heap, and a count of users that never runs below zero.',
  },
];
