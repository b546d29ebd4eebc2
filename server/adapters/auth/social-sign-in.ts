import { namesOf } from './names-of.ts';

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

export interface SocialSettings {
  google?: ClientCredentials | undefined;
  github?: ClientCredentials | undefined;
}

/** The account library's own providers, as far as the operator has registered with them. */
export function socialSignIn({ google, github }: SocialSettings) {
  return {
    ...(google && { google: { ...google, mapProfileToUser: namesOf } }),
    ...(github && { github: { ...github, mapProfileToUser: namesOf } }),
  };
}
