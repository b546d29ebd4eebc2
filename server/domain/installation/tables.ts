/** `id`: what the blobs carry as well; `secret`: a fingerprint of APP_SECRET. */
interface InstallationTable {
  name: 'id' | 'secret';
  value: string;
}

export interface InstallationTables {
  installation: InstallationTable;
}
