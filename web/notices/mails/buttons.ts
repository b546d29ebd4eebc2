import { say } from '../../languages/say.ts';

export const signIn = (origin: string) => ({ href: `${origin}/login`, label: say('Sign in') });

export const openAccount = (origin: string) => ({
  href: `${origin}/account`,
  label: say('Open your account page'),
});

export const openDashboard = (origin: string) => ({
  href: `${origin}/dashboard`,
  label: say('Open your dashboard'),
});

export const openMoney = (origin: string) => ({
  href: `${origin}/dashboard/money`,
  label: say('Open your money page'),
});

export const seeSales = (origin: string) => ({
  href: `${origin}/dashboard/sales`,
  label: say('See your sales'),
});
