import { useState } from 'react';
import type { AccountPageData } from '../../contract/account-details.ts';
import { MAX_TOLD_SINGLY, type NotificationChoice } from '../../contract/notifications.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { CheckBox } from '../ui/check-box.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { BrowserNotices } from './browser-notices.tsx';
import { AccountSection, SectionForm, useSectionForm } from './section.tsx';

interface NotificationsSectionProps {
  config: RuntimeConfig;
  viewerId: string;
  data: Pick<AccountPageData, 'notifications' | 'notifiedBrowsers' | 'pushKey'>;
}

const SALES: Record<NotificationChoice['sales'], string> = {
  each: 'An email for each sale',
  daily: 'One email a day',
  none: 'No emails',
};

/** How a creator is told of sales. */
export function NotificationsSection({ config, viewerId, data }: NotificationsSectionProps) {
  const choice = data.notifications;
  const disabled = !useHydrated();
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: () => ({}),
    async send({ sales = '', weekly }) {
      await requestGraphql(config, change, { sales, weekly: weekly === 'on' });
      setStatus('Saved.');
    },
  });
  return (
    <AccountSection
      explanation="How you hear of your sales."
      id="notifications"
      onBegun={() => setStatus('')}
      status={status}
      title="Notifications"
    >
      <SectionForm busyLabel="Saving..." form={form} submitLabel="Save notifications">
        <SelectField
          defaultValue={choice.sales}
          hint={`After ${MAX_TOLD_SINGLY} sales within an hour, the others of that hour come in one email. Daily emails come after midnight UTC.`}
          label="Sales"
          name="sales"
          options={SALES}
        />
        <CheckBox
          checked={choice.weekly}
          disabled={disabled}
          hint="On Mondays: sales, refunds, your best links and your balance. Nothing comes after a week without sales and refunds."
          label="Email me a summary of each week"
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
