/** What the commands say their version is. */
export { version } from '../version.ts';
