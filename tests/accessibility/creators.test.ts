import { CREATOR_STATES } from '../states/states.ts';
import { examineStates } from './examine-states.ts';

examineStates(
  'pages of creators: still, wide enough, easy to press, without axe violations in either theme',
  CREATOR_STATES,
);
