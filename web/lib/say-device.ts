import { retell, say } from '../languages/say.ts';

/** What the server calls a device, "Firefox on Windows", in the page's language. */
export function sayDevice(device: string): string {
  const [browser = '', system] = device.split(' on ');
  return system ? say('{browser} on {system}', { browser, system }) : retell(device);
}
