import { useId, useState } from 'react';
import { collectErrors } from '../../../contract/form-errors.ts';
import { isModerationReason, MODERATION_REASONS } from '../../../contract/moderation.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { FormError } from '../../ui/alert.tsx';
import { TextArea } from '../../ui/field.tsx';
import type { DashboardData } from './dashboard-query.ts';

type OwnTakeDown = NonNullable<DashboardData['listOwnTakeDowns']>['items'][number];

const objectMutation = graphql(
  'mutation Object($id: ID!, $words: String!) { objectToTakeDown(id: $id, words: $words) }',
);

interface TakenDownLinksProps {
  config: RuntimeConfig;
  takeDowns: OwnTakeDown[];
}

/** What the operator took down and why, and the seller's objection to it. */
export function TakenDownLinks({ config, takeDowns }: TakenDownLinksProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-4">
      <h2 className="text-2xl" id={id}>
        {say('Taken down by the operator')}
      </h2>
      <p className="mt-2 text-muted">
        {say('Nobody can open, buy or download these links, not even those who bought them.')}
      </p>
      <ul className="card mt-4 divide-y divide-line">
        {takeDowns.map((takeDown) => (
          <TakenDownRow config={config} key={takeDown.linkId} takeDown={takeDown} />
        ))}
      </ul>
    </section>
  );
}

function TakenDownRow({ config, takeDown }: { config: RuntimeConfig; takeDown: OwnTakeDown }) {
  const { linkId, title, reason, words, answer } = takeDown;
  const [objection, setObjection] = useState(takeDown.objection);
  return (
    <li className="space-y-3 px-6 py-5 wrap-anywhere">
      <h3 className="font-medium">
        <bdi>{nameLink({ id: linkId, title })}</bdi>
      </h3>
      {isModerationReason(reason) && (
        <p>{say('Reason: {reason}.', { reason: say(MODERATION_REASONS[reason]) })}</p>
      )}
      <p className="whitespace-pre-line">{words}</p>
      {objection === null ? (
        <ObjectionForm config={config} id={linkId} onSent={setObjection} />
      ) : (
        <>
          <p className="whitespace-pre-line text-muted">
            {say('Your objection: {words}', { words: objection })}
          </p>
          {answer === null ? (
            <p role="status">{say('Your objection was sent. We will email you the decision.')}</p>
          ) : (
            <p className="whitespace-pre-line">
              {say('The operator’s answer: {words}', { words: answer })}
            </p>
          )}
        </>
      )}
    </li>
  );
}

interface ObjectionFormProps {
  config: RuntimeConfig;
  id: string;
  onSent(words: string): void;
}

function ObjectionForm({ config, id, onSent }: ObjectionFormProps) {
  const { formProps, errors, busy } = useForm({
    check: ({ words = '' }) =>
      collectErrors({ words: !words.trim() && say('Say why the link should be restored.') }),
    async send({ words = '' }) {
      await needSession(requestGraphql(config, objectMutation, { id, words }));
      onSent(words.trim());
    },
  });
  return (
    <form {...formProps} className="space-y-3">
      <TextArea
        disabled={busy}
        error={errors.words}
        hint={say('You can object once.')}
        label={say('Is this a mistake? Tell the operator why.')}
        name="words"
      />
      {errors[''] && <FormError>{errors['']}</FormError>}
      <button className="button button-secondary button-small" disabled={busy} type="submit">
        {say(busy ? 'Sending...' : 'Object')}
      </button>
    </form>
  );
}
