import { type Html, html } from './html.ts';
import { WARNING } from './icons.ts';
import type { Field, FieldErrors, FormValues } from './read-card-form.ts';
import { textField } from './text-field.ts';

export interface CardFormState {
  values: FormValues;
  errors: FieldErrors;
  /** Why the last attempt did not pay. */
  alert?: string | undefined;
}

const ORDER: Field[] = ['email', 'cardNumber', 'expiry', 'cvc'];

/** The form that pays; `action` is the path that it is posted to. */
export function cardForm(action: string, { values, errors, alert }: CardFormState): Html {
  const firstFaulty = ORDER.find((name) => errors[name] !== undefined);
  const common = (name: Field) => ({
    name,
    value: values[name],
    error: errors[name],
    autofocus: name === firstFaulty,
  });
  return html`<form class="card" method="post" action="${action}" novalidate>
<h2>Pay with card</h2>
${alert && html`<p class="alert" role="alert">${WARNING}<span>${alert}</span></p>`}
${textField({
  ...common('email'),
  label: 'Email',
  type: 'email',
  inputMode: 'email',
  autocomplete: 'email',
  placeholder: 'you@example.com',
  maxLength: 254,
})}
${textField({
  ...common('cardNumber'),
  label: 'Card number',
  inputMode: 'numeric',
  autocomplete: 'cc-number',
  placeholder: '1234 1234 1234 1234',
  maxLength: 23,
})}
<div class="pair">
${textField({
  ...common('expiry'),
  label: 'Expiry',
  inputMode: 'numeric',
  autocomplete: 'cc-exp',
  placeholder: 'MM / YY',
  maxLength: 9,
})}
${textField({
  ...common('cvc'),
  label: 'CVC',
  inputMode: 'numeric',
  autocomplete: 'cc-csc',
  placeholder: '123',
  maxLength: 4,
})}
</div>
<button class="primary">Pay</button>
</form>`;
}
