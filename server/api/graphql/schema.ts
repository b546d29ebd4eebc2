import './change-paywall-link.ts';
import './checkout.ts';
import './deleted-links.ts';
import './link-subscriptions.ts';
import './paywall-link.ts';
import './sales-by-day.ts';
import './secret-keys.ts';
import './seller.ts';
import './user-balance.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema();
