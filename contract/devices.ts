import { type Fact, fact } from './fact.ts';

/** @param device as it is kept: "Firefox on Windows" */
export function nameDevice(device: string): Fact {
  const [browser = '', system] = device.split(' on ');
  return system ? fact('{browser} on {system}', { browser, system }) : { text: device };
}
