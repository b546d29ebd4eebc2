const TYPED_OR_PASTED = ['insertText', 'insertFromPaste'];

/**
 * A `ref` for a number input: takes a comma as the decimal separator, where browsers would swallow
 * it and make 499 of "4,99".
 */
export function takeDecimalComma(input: HTMLInputElement): () => void {
  input.addEventListener('beforeinput', replaceComma);
  return () => input.removeEventListener('beforeinput', replaceComma);
}

function replaceComma(event: InputEvent): void {
  const { data, inputType } = event;
  if (!data?.includes(',') || !TYPED_OR_PASTED.includes(inputType)) return;
  event.preventDefault();
  // Number inputs tell no caret: only this writes where it is, and can be undone.
  document.execCommand('insertText', false, toPoint(data));
}

/** Drops separators of thousands: both "1.234,56" and "1,234.56" become "1234.56". */
function toPoint(text: string): string {
  return text.replaceAll(/[.,](?=.*[.,])|,(?=\d{3}$)/g, '').replace(',', '.');
}
