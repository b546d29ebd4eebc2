import { VISITOR_STATES } from '../states/states.ts';
import { examineStates } from './examine-states.ts';

examineStates(
  'pages of visitors: still, wide enough, easy to press, without axe violations in either theme',
  VISITOR_STATES,
);
