import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectSignOut, leadToSignIn } from './sign-in-again.ts';

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
  expectSignOut();
  leadToSignIn();
  expect(assign).not.toHaveBeenCalled();
});

test('a page that is shown again leads to the login page again', () => {
  leadToSignIn();
  showAgain();
  leadToSignIn();
  expect(assign).toHaveBeenCalledTimes(2);
});
