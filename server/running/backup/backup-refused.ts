/** Why a backup or an export was not made, restored or imported, in words for the operator. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}
