import { useEffect, useState } from 'react';
import { say } from '../../languages/say.ts';
import { DownloadIcon } from '../../ui/icons.tsx';
import type { QrCode } from './draw-qr-code.ts';

/** The link for posters and slides, on screen and as files. What draws it is loaded when shown. */
export function QrCodeFigure({ address }: { address: string }) {
  const [code, setCode] = useState<QrCode | 'failed' | null>(null);
  useEffect(() => {
    let isShown = true;
    import('./draw-qr-code.ts')
      .then(({ drawQrCode }) => isShown && setCode(drawQrCode(address)))
      .catch(() => isShown && setCode('failed'));
    return () => {
      isShown = false;
    };
  }, [address]);

  if (code === 'failed') {
    return <p className="text-muted">{say('The QR code could not be drawn.')}</p>;
  }
  const svg = code && `data:image/svg+xml,${encodeURIComponent(code.svg)}`;
  const fileName = `padlink-${address.slice(address.lastIndexOf('/') + 1)}`;
  return (
    <div className="qr-code">
      <div className="qr-plate">
        {svg && (
          <img alt={say('QR code of your paywall link')} height={160} src={svg} width={160} />
        )}
      </div>
      <div>
        <h3 className="font-medium">{say('QR code')}</h3>
        <p className="mt-1 text-sm text-muted">{say('For posters, slides and flyers.')}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          <QrDownload fileName={`${fileName}.svg`} href={svg} kind="SVG" />
          <QrDownload fileName={`${fileName}.png`} href={code?.png} kind="PNG" />
        </div>
      </div>
    </div>
  );
}

interface QrDownloadProps {
  kind: 'SVG' | 'PNG';
  href: string | null | undefined;
  fileName: string;
}

function QrDownload({ kind, href, fileName }: QrDownloadProps) {
  return (
    <a
      className="button button-secondary button-small"
      download={fileName}
      href={href ?? undefined}
    >
      <DownloadIcon className="size-4" />
      <span className="sr-only">{say('Download as')}</span> {kind}
    </a>
  );
}
