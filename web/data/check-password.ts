import { describeMissing } from '../../contract/password-policy.ts';

/** What is wrong with a new password and its repetition, by field. */
export function checkNewPassword(password = '', confirmation = '') {
  return {
    password: describeMissing(password),
    confirmation: password !== confirmation && 'The two passwords are not the same.',
  };
}
