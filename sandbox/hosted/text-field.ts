import { type Html, html } from './html.ts';
import type { Field } from './read-card-form.ts';

export interface TextField {
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

/** A labelled input with, where something is wrong with it, the reason. */
export function textField(field: TextField): Html {
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
