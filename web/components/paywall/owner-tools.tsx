import { type ComponentType, useEffect, useState } from 'react';
import type { OwnerPanelProps } from './owner-panel.tsx';

/** Loads the owner's panel where there is an owner: buyers never do. */
export function OwnerTools(props: OwnerPanelProps) {
  const [Panel, setPanel] = useState<ComponentType<OwnerPanelProps> | null>(null);
  useEffect(() => {
    import('./owner-panel.tsx').then(
      ({ OwnerPanel }) => setPanel(() => OwnerPanel),
      (error: unknown) => console.warn('What owners do could not be loaded', error),
    );
  }, []);
  return Panel && <Panel {...props} />;
}
