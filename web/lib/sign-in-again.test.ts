import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leadToSignIn, watchSignOut } from './sign-in-again.ts';

const assign = vi.fn();
const page = new EventTarget();
const showAgain = () => page.dispatchEvent(new Event('pageshow'));

beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('location', { pathname: '/dashboard', search: '?after=x', assign });
});
afterEach(() => {
  showAgain();
  vi.unstubAllGlobals();
  assign.mockReset();
});

test('a page leads to the login page once, however often it is refused', () => {
  leadToSignIn();
  leadToSignIn();
  expect(assign).toHaveBeenCalledExactlyOnceWith('/login?next=%2Fdashboard%3Fafter%3Dx');
});

test('a page whose person signs out is not led to the login page besides', () => {
  watchSignOut();
  const form = { getAttribute: () => '/logout' };
  page.dispatchEvent(Object.defineProperty(new Event('submit'), 'target', { value: form }));
  leadToSignIn();
  expect(assign).not.toHaveBeenCalled();
});

test('a page that is shown again leads to the login page again', () => {
  leadToSignIn();
  showAgain();
  leadToSignIn();
  expect(assign).toHaveBeenCalledTimes(2);
});
