import '../paywall/change-graphql.ts';
import '../paywall/checkout-graphql.ts';
import '../paywall/purchases-graphql.ts';
import '../paywall/subscriptions.ts';
import '../paywall/graphql.ts';
import '../paywall/version-graphql.ts';
import '../dashboard/sales-graphql.ts';
import '../accounts/graphql.ts';
import '../accounts/operators-graphql.ts';
import '../moderation/graphql.ts';
import '../moderation/operators-graphql.ts';
import '../back-office/graphql.ts';
import '../back-office/links-graphql.ts';
import '../back-office/purchases-graphql.ts';
import '../dashboard/balance-graphql.ts';
import '../dashboard/money-graphql.ts';
import { builder } from '../graphql/builder.ts';

export const schema = builder.toSchema();
