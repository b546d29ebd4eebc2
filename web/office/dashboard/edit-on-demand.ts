import { useOnDemand } from '../../lib/use-on-demand.ts';

const loadDialog = () => import('./edit-dialog.tsx').then(({ EditDialog }) => EditDialog);

/** The dialog that changes a link: few visits to the dashboard open it. */
export const useEditDialog = () => useOnDemand(loadDialog);
