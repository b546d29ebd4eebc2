import { type Sentence, say } from '../../languages/say.ts';

const toPage = (path: string, label: Sentence) => (origin: string) => ({
  href: origin + path,
  label: say(label),
});

export const signIn = toPage('/login', 'Sign in');
export const openAccount = toPage('/account', 'Open your account page');
export const openDashboard = toPage('/dashboard', 'Open your dashboard');
export const openMoney = toPage('/dashboard/money', 'See your money');
export const seeSales = toPage('/dashboard/sales', 'See your sales');
