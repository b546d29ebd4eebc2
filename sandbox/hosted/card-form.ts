import { type Html, html, WARNING } from './document.ts';
import type { Field, FieldErrors, FormValues } from './read-card-form.ts';

export interface CardFormState {
  values: FormValues;
  /** What is wrong with each field. */
  errors: FieldErrors;
  /** Why the last attempt did not pay, and the field to begin with when trying again. */
  refusal?: { message: string; field: Field } | undefined;
}

const REFUSAL_ID = 'refusal';

const FIELDS = {
  email: { label: 'Email', autocomplete: 'email', placeholder: 'you@example.com', maxLength: 254 },
  cardNumber: {
    label: 'Card number',
    autocomplete: 'cc-number',
    placeholder: '1234 1234 1234 1234',
    maxLength: 23,
  },
  expiry: { label: 'Expiry', autocomplete: 'cc-exp', placeholder: 'MM / YY', maxLength: 9 },
  cvc: { label: 'CVC', autocomplete: 'cc-csc', placeholder: '123', maxLength: 4 },
} as const satisfies Record<Field, object>;

const ORDER = Object.keys(FIELDS) as Field[];

/** The form that pays this amount; `action` is the path that it is posted to. */
export function cardForm(action: string, amount: string, state: CardFormState): Html {
  const { refusal } = state;
  return html`<form class="card" method="post" action="${action}" novalidate>
<h2>Pay with card</h2>
${refusal && html`<p class="alert" id="${REFUSAL_ID}" role="alert">${WARNING}<span>${refusal.message}</span></p>`}
${textField('email', state)}
${textField('cardNumber', state)}
<div class="pair">
${textField('expiry', state)}
${textField('cvc', state)}
</div>
<button class="primary" type="submit" aria-describedby="amount">Pay <span aria-hidden="true">${amount}</span></button>
<p class="details">We keep only the card’s brand, expiry and last four digits.</p>
</form>`;
}

/** A labeled input with, where something is wrong with it, the reason. */
function textField(name: Field, { values, errors, refusal }: CardFormState): Html {
  const { label, autocomplete, placeholder, maxLength } = FIELDS[name];
  const type = name === 'email' ? 'email' : 'text';
  const inputMode = name === 'email' ? 'email' : 'numeric';
  const error = errors[name];
  // The reader's attention belongs where something is wrong first.
  const first = refusal?.field ?? ORDER.find((field) => errors[field] !== undefined);
  const refusalId = name === refusal?.field ? REFUSAL_ID : undefined;
  const message = error === undefined ? refusalId : `${name}-error`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" inputmode="${inputMode}" autocomplete="${autocomplete}" placeholder="${placeholder}" maxlength="${maxLength}" value="${values[name]}" spellcheck="false" required${
    message !== undefined && html` aria-invalid="true" aria-describedby="${message}"`
  }${name === first && html` autofocus`}>
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`;
}
