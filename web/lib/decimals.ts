import { say } from '../languages/say.ts';

const TYPED_OR_PASTED = ['insertText', 'insertFromPaste'];

/**
 * A `ref` for a number input: takes a comma as the decimal separator, where browsers would swallow
 * it and make 499 of "4,99", and drops separators of thousands. What can be read in two ways is not
 * sent, and the input says why: by itself, a browser makes 1.23450 of "1,234.50" as it is typed.
 */
export function takeDecimals(input: HTMLInputElement): () => void {
  /** One separator was a comma or the second one: three digits behind it may be thousands. */
  let isUnsure = false;
  /** What was typed before the browser left one out; empty if it left none out. */
  let cut = '';
  let isWriting = false;

  function beforeInput(event: InputEvent): void {
    const { data, inputType } = event;
    if (isWriting || !data || !TYPED_OR_PASTED.includes(inputType)) return;
    if (data !== '.' && !data.includes(',')) return;
    event.preventDefault();
    const { value } = input;
    write(toPoint(data));
    if (data.length > 1) return;
    isUnsure ||= data === ',';
    // A number has one point: the browser took no second one.
    if (input.value !== value || !value.includes('.')) return;
    if (/\.\d{3}$/.test(value)) {
      input.select();
      write(`${value.replace('.', '')}.`);
      isUnsure = true;
    } else {
      cut = value;
    }
  }

  function write(text: string): void {
    isWriting = true;
    // Number inputs tell no caret: only this writes where it is, and can be undone.
    document.execCommand('insertText', false, text);
    isWriting = false;
  }

  function onInput(event: Event): void {
    const { inputType } = event as InputEvent;
    const { value } = input;
    // A point at the end is not part of the value yet; the comma that it was is noted after it.
    if (!value.includes('.') || inputType === 'insertFromPaste') {
      cut = '';
      isUnsure = false;
    }
    const goesOn = cut !== '' && value !== cut && value.startsWith(cut);
    const isDoubtful = goesOn || (isUnsure && /\.\d{3}/.test(value));
    input.setCustomValidity(isDoubtful ? say(NO_THOUSANDS) : '');
  }

  function onSubmit(event: SubmitEvent): void {
    if (!input.validity.customError) return;
    event.preventDefault();
    event.stopPropagation();
    input.reportValidity();
  }

  const { form } = input;
  input.addEventListener('beforeinput', beforeInput);
  input.addEventListener('input', onInput);
  form?.addEventListener('submit', onSubmit);
  return () => {
    input.removeEventListener('beforeinput', beforeInput);
    input.removeEventListener('input', onInput);
    form?.removeEventListener('submit', onSubmit);
  };
}

const NO_THOUSANDS = 'Enter the amount without thousands separators, such as 1234.50.';

/**
 * Drops separators of thousands, and what is no amount: both "1.234,56" and "1,234.56 USD" become
 * "1234.56".
 */
export function toPoint(text: string): string {
  return text
    .replaceAll(/[^\d.,]/g, '')
    .replaceAll(/[.,](?=.*[.,])|(?<=^(?:[1-9]\d{0,2}(?:[.,]\d{3})*)?),(?=\d{3}$)/g, '')
    .replace(',', '.');
}
