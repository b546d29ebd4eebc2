import {
  isModerationReason,
  MAX_REFUND_DAYS,
  MODERATION_REASONS,
} from '../../../contract/moderation.ts';
import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Acting } from './operator-frame.tsx';

interface LinkActProps extends Acting {
  /** Of the link. */
  id: string;
  name: string;
}

const takeDown = graphql(`
  mutation TakeDown($id: ID!, $reason: String!, $words: String!, $refundDays: Int) {
    takeDownLink(id: $id, reason: $reason, words: $words, refundDays: $refundDays)
  }
`);

interface TakeDownButtonProps extends LinkActProps {
  /** Chosen at first. */
  reason?: string;
}

export function TakeDownButton({ config, id, name, reason, onDone }: TakeDownButtonProps) {
  return (
    <ActButton
      act={({ reason = '', words = '', refundDays }) =>
        requestGraphql(config, takeDown, {
          id,
          reason,
          words,
          refundDays: refundDays ? Number(refundDays) : null,
        })
      }
      busyWords={say('Taking down...')}
      label={say('Take down: {name}', { name })}
      onDone={() => onDone(say('{name} was taken down.', { name }))}
      question={{
        title: say('Take down {name}?', { name }),
        text: say(
          'Nobody can open, buy or download it any longer, not even its buyers and its seller, who are told by email. Its files are refused from now on, no matter who uploads them.',
        ),
        fields: (
          <>
            <SelectField
              defaultValue={reason}
              label={say('Reason')}
              name="reason"
              options={sayReasons()}
            />
            <WordsField
              hint={say('Emailed to its seller.')}
              label={say('What is wrong with it?')}
            />
            <Field
              hint={say(
                'Everyone who bought it in the last so many days, at most {days}, is refunded in full. Leave blank to refund nobody.',
                { days: MAX_REFUND_DAYS },
              )}
              inputMode="numeric"
              label={say('Days to refund (optional)')}
              max={MAX_REFUND_DAYS}
              min={1}
              name="refundDays"
              type="number"
            />
          </>
        ),
      }}
      tone="danger"
      words={say('Take down')}
    />
  );
}

const undo = graphql(
  'mutation UndoTakeDown($id: ID!, $words: String!) { undoTakeDown(id: $id, words: $words) }',
);

export function UndoButton({ config, id, name, onDone }: LinkActProps) {
  return (
    <ActButton
      act={({ words = '' }) => requestGraphql(config, undo, { id, words })}
      busyWords={say('Restoring...')}
      label={say('Restore: {name}', { name })}
      onDone={() => onDone(say('{name} was restored.', { name }))}
      question={{
        title: say('Restore {name}?', { name }),
        text: say(
          'It will be as it was before it was taken down, and its seller is told by email. Refunds already made are not undone.',
        ),
        fields: <WordsField hint={say('Kept in the activity log.')} label={say('Why?')} />,
      }}
      tone="secondary"
      words={say('Restore')}
    />
  );
}

/** Words that go with an act on a link. */
export function WordsField({ label, hint }: { label: string; hint: string }) {
  return <TextArea hint={hint} label={label} name="words" required />;
}

const sayReasons = () =>
  Object.fromEntries(
    Object.entries(MODERATION_REASONS).map(([reason, words]) => [reason, say(words)]),
  );

export const describeReason = (reason: string): string =>
  isModerationReason(reason) ? say(MODERATION_REASONS[reason]) : reason;
