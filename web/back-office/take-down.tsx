import {
  isModerationReason,
  MAX_MODERATION_WORDS,
  MAX_REFUND_DAYS,
  MODERATION_REASONS,
} from '../../contract/moderation.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { Field, TextArea } from '../ui/field.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { ActButton } from './act-button.tsx';

interface LinkActProps {
  config: RuntimeConfig;
  /** Of the link. */
  id: string;
  name: string;
  onDone(words: string): Promise<void>;
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
          ...{ id, reason, words },
          refundDays: refundDays ? Number(refundDays) : null,
        })
      }
      busyWords="Taking down..."
      label={`Take down: ${name}`}
      onDone={() => onDone(`${name} was taken down.`)}
      question={{
        title: `Take down ${name}?`,
        text: 'Nobody can open, buy or download it any longer, including its buyers and its seller, who are told by email. Its files are refused from now on, whoever uploads them.',
        fields: (
          <>
            <SelectField
              defaultValue={reason}
              label="Reason"
              name="reason"
              options={MODERATION_REASONS}
            />
            <WordsField hint="Emailed to its seller." label="What is wrong with it?" />
            <Field
              hint={`Whoever bought it in that many days, at most ${MAX_REFUND_DAYS}, gets everything back. Leave it empty to refund nobody.`}
              inputMode="numeric"
              label="Days to refund (optional)"
              max={MAX_REFUND_DAYS}
              min={1}
              name="refundDays"
              type="number"
            />
          </>
        ),
      }}
      tone="danger"
      words="Take down"
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
      busyWords="Restoring..."
      label={`Restore: ${name}`}
      onDone={() => onDone(`${name} was restored.`)}
      question={{
        title: `Restore ${name}?`,
        text: 'It is as it was before it was taken down, and its seller is told by email. Refunds that were made are not undone.',
        fields: <WordsField hint="Kept in the log of acts." label="Why?" />,
      }}
      tone="secondary"
      words="Restore"
    />
  );
}

/** Words that go with an act on a link. */
export function WordsField({ label, hint }: { label: string; hint: string }) {
  return (
    <TextArea hint={hint} label={label} maxLength={MAX_MODERATION_WORDS} name="words" required />
  );
}

export const describeReason = (reason: string): string =>
  isModerationReason(reason) ? MODERATION_REASONS[reason] : reason;
