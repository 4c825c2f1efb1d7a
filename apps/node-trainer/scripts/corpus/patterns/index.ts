import type { Pattern } from '../pattern.js';
import { clock } from './clock.js';
import { days } from './days.js';
import { greetings } from './greetings.js';
import { identity } from './identity.js';
import { meetings } from './meetings.js';
import { objects } from './objects.js';
import { qualities } from './qualities.js';
import { reasons } from './reasons.js';
import { travel } from './travel.js';
import { wishes } from './wishes.js';

/** Every pattern of the corpus. */
export const patterns: readonly Pattern[] = [
  ...greetings,
  ...days,
  ...clock,
  ...wishes,
  ...travel,
  ...identity,
  ...qualities,
  ...objects,
  ...meetings,
  ...reasons,
];
