import { say } from '../../languages/say.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { PaywallLink } from './paywall-link.ts';

/** What the viewer's programs prove their license by. */
export function LicenseKeys({ licenseKeys, devices }: PaywallLink) {
  if (licenseKeys.length === 0) return null;
  return (
    <>
      <h3 className="text-base">
        {say(licenseKeys.length > 1 ? 'Your license keys' : 'Your license key')}
      </h3>
      {licenseKeys.map(
        ({ key, activations }) =>
          key && (
            <div className="flex flex-wrap items-center gap-3" key={key}>
              <code className="wrap-anywhere">{key}</code>
              <CopyButton of={key} text={key} />
              {devices !== null && (
                <p className="w-full text-sm text-muted">
                  {say('Active on {count} of {limit} devices', {
                    count: activations,
                    limit: devices,
                  })}
                </p>
              )}
            </div>
          ),
      )}
      {licenseKeys.some(({ key }) => !key) && (
        <p>{say('The seller has run out of license keys. Yours will appear here.')}</p>
      )}
    </>
  );
}
