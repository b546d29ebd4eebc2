import { type Html, html } from './html.ts';
import type { Field } from './read-card-form.ts';

export interface TextField {
  name: Field;
  label: string;
  value: string;
  error: string | undefined;
  type?: 'email' | 'text';
  inputMode: 'email' | 'numeric';
  autocomplete: string;
  placeholder: string;
  maxLength: number;
  /** Where the reader's attention belongs when the page opens. */
  autofocus: boolean;
}

/** A labelled input with, where something is wrong with it, the reason beneath. */
export function textField(field: TextField): Html {
  const { name, error } = field;
  return html`<div class="field field-${name}">
<label for="${name}">${field.label}</label>
<input id="${name}" name="${name}" type="${field.type ?? 'text'}" inputmode="${field.inputMode}" autocomplete="${field.autocomplete}" placeholder="${field.placeholder}" maxlength="${field.maxLength}" value="${field.value}" spellcheck="false" autocapitalize="off" required${
    error !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`
  }${field.autofocus && html` autofocus`}>
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`;
}
