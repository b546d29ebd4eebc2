import { nameDevice } from '../../contract/devices.ts';
import { tell } from '../languages/say.ts';

/** What the server calls a device, "Firefox on Windows", in the page's language. */
export const sayDevice = (device: string): string => tell(nameDevice(device));
