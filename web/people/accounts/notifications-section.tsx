import { useState } from 'react';
import type { AccountPageData } from '../../../contract/account-details.ts';
import { MAX_TOLD_SINGLY, type NotificationChoice } from '../../../contract/notifications.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { BrowserNotices } from './browser-notices.tsx';
import { AccountSection, SectionForm, useSectionForm } from './section.tsx';

interface NotificationsSectionProps {
  config: RuntimeConfig;
  viewerId: string;
  data: Pick<AccountPageData, 'notifications' | 'notifiedBrowsers' | 'pushKey'>;
}

const sayChoices = (): Record<NotificationChoice['sales'], string> => ({
  each: say('An email for each sale'),
  daily: say('One email a day'),
  none: say('No emails'),
});

/** How a creator is told of sales. */
export function NotificationsSection({ config, viewerId, data }: NotificationsSectionProps) {
  const choice = data.notifications;
  const disabled = !useHydrated();
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: () => ({}),
    async send({ sales = '', weekly }) {
      await requestGraphql(config, change, { sales, weekly: weekly === 'on' });
      setStatus(say('Saved.'));
    },
  });
  return (
    <AccountSection
      explanation={say('How you hear about your sales.')}
      onBegun={() => setStatus('')}
      status={status}
      title={say('Notifications')}
    >
      <SectionForm busyLabel={say('Saving...')} form={form} submitLabel={say('Save notifications')}>
        <SelectField
          defaultValue={choice.sales}
          hint={say(
            'After {count} sales in an hour, the rest of that hour’s sales come in one email. Daily emails come after midnight UTC.',
            { count: MAX_TOLD_SINGLY },
          )}
          label={say('Sales')}
          name="sales"
          options={sayChoices()}
        />
        <CheckBox
          checked={choice.weekly}
          disabled={disabled}
          hint={say(
            'On Mondays: sales, refunds, your best links and your balance. None is sent after a week without sales or refunds.',
          )}
          label={say('Email me a weekly summary')}
          name="weekly"
        />
      </SectionForm>
      <BrowserNotices
        browsers={data.notifiedBrowsers}
        config={config}
        onDone={setStatus}
        pushKey={data.pushKey}
        viewerId={viewerId}
      />
    </AccountSection>
  );
}

const change = graphql(`
  mutation SetNotifications($sales: String, $weekly: Boolean) {
    setNotifications(sales: $sales, weekly: $weekly)
  }
`);
