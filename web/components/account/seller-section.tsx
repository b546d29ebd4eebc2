import { useState } from 'react';
import { MAX_SELLER_NAME_LENGTH } from '../../../contract/limits.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { saveSellerName } from '../../data/save-seller-name.ts';
import { useSectionForm } from '../../data/use-section-form.ts';
import { Field } from '../field.tsx';
import { AccountSection } from './account-section.tsx';
import { SectionForm } from './section-form.tsx';

interface SellerSectionProps {
  config: RuntimeConfig;
  sellerName: string | null;
}

/** Who buyers are told they buy from. */
export function SellerSection({ config, sellerName }: SellerSectionProps) {
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: () => ({}),
    async send({ sellerName: name = '' }) {
      const kept = await saveSellerName(config, name);
      setStatus(
        kept ? `Saved. Buyers see “by ${kept}”.` : 'Saved. Your links name no seller any more.',
      );
    },
  });
  return (
    <AccountSection
      explanation="Shown to buyers on your links. Leave it empty to sell without a name."
      onBegun={() => setStatus('')}
      status={status}
      title="Seller name"
    >
      <SectionForm busyLabel="Saving..." form={form} submitLabel="Save seller name">
        <Field
          autoComplete="organization"
          defaultValue={sellerName ?? ''}
          error={form.errors.sellerName}
          label="Seller name"
          maxLength={MAX_SELLER_NAME_LENGTH}
          name="sellerName"
        />
      </SectionForm>
    </AccountSection>
  );
}
