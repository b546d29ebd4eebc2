import { type Html, html, WARNING } from './document.ts';
import type { Field, FieldErrors, FormValues } from './read-card-form.ts';

export interface CardFormState {
  values: FormValues;
  /** What is wrong with each field. */
  errors: FieldErrors;
  /** Why the last attempt did not pay, and the field to begin with when trying again. */
  refusal?: { message: string; field: Field } | undefined;
}

const ORDER: Field[] = ['email', 'cardNumber', 'expiry', 'cvc'];
const REFUSAL_ID = 'refusal';

/** The form that pays; `action` is the path that it is posted to. */
export function cardForm(action: string, { values, errors, refusal }: CardFormState): Html {
  const first = refusal?.field ?? ORDER.find((name) => errors[name] !== undefined);
  const common = (name: Field) => ({
    name,
    value: values[name],
    error: errors[name],
    describedBy: name === refusal?.field ? REFUSAL_ID : undefined,
    autofocus: name === first,
  });
  return html`<form class="card" method="post" action="${action}" novalidate>
<h2>Pay with card</h2>
${refusal && html`<p class="alert" id="${REFUSAL_ID}" role="alert">${WARNING}<span>${refusal.message}</span></p>`}
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
  type: 'text',
  inputMode: 'numeric',
  autocomplete: 'cc-number',
  placeholder: '1234 1234 1234 1234',
  maxLength: 23,
})}
<div class="pair">
${textField({
  ...common('expiry'),
  label: 'Expiry',
  type: 'text',
  inputMode: 'numeric',
  autocomplete: 'cc-exp',
  placeholder: 'MM / YY',
  maxLength: 9,
})}
${textField({
  ...common('cvc'),
  label: 'CVC',
  type: 'text',
  inputMode: 'numeric',
  autocomplete: 'cc-csc',
  placeholder: '123',
  maxLength: 4,
})}
</div>
<button class="primary" type="submit">Pay</button>
<p class="details">We keep only the card’s brand, expiry and last four digits.</p>
</form>`;
}

interface TextField {
  name: Field;
  label: string;
  value: string;
  /** What is wrong with the value, shown beneath. */
  error: string | undefined;
  /** The id of a message elsewhere on the page that is about this field. */
  describedBy: string | undefined;
  type: 'email' | 'text';
  inputMode: 'email' | 'numeric';
  autocomplete: string;
  placeholder: string;
  maxLength: number;
  /** Whether the reader's attention belongs here when the page opens. */
  autofocus: boolean;
}

/** A labeled input with, where something is wrong with it, the reason. */
function textField(field: TextField): Html {
  const { name, error } = field;
  const message = error === undefined ? field.describedBy : `${name}-error`;
  return html`<div class="field">
<label for="${name}">${field.label}</label>
<input id="${name}" name="${name}" type="${field.type}" inputmode="${field.inputMode}" autocomplete="${field.autocomplete}" placeholder="${field.placeholder}" maxlength="${field.maxLength}" value="${field.value}" spellcheck="false" required${
    message !== undefined && html` aria-invalid="true" aria-describedby="${message}"`
  }${field.autofocus && html` autofocus`}>
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`;
}
