// Only comfort: everything on these pages works without it.
const field = (name) => document.getElementById(name);

function groupCardNumber(digits) {
  const groups = /^3[47]/.test(digits)
    ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/
    : /^(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,7})?/;
  return (digits.match(groups) ?? []).slice(1).filter(Boolean).join(' ');
}

function separateExpiry(digits) {
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return padded.length < 2 ? padded : `${padded.slice(0, 2)} / ${padded.slice(2)}`;
}

/** Writes the digits apart while they are typed, and keeps the caret behind the same digit. */
function formatWhileTyping(input, format) {
  input?.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete')) return;
    const before = input.value.slice(0, input.selectionStart).replace(/\D/g, '').length;
    const atEnd = input.selectionStart === input.value.length;
    input.value = format(input.value.replace(/^(\d)\s*\//, '0$1/').replace(/\D/g, ''));
    if (atEnd) return;
    let caret = 0;
    for (let seen = 0; seen < before; caret++) if (/\d/.test(input.value[caret])) seen++;
    input.setSelectionRange(caret, caret);
  });
}

/** A fault is that of the last attempt: it goes as soon as the value changes. */
function clearFault(input) {
  input.removeAttribute('aria-invalid');
  input.removeAttribute('aria-describedby');
  field(`${input.id}-error`)?.remove();
}

addEventListener('input', (event) => clearFault(event.target));

formatWhileTyping(field('cardNumber'), groupCardNumber);
formatWhileTyping(field('expiry'), separateExpiry);

for (const item of document.querySelectorAll('[data-card]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...item.childNodes);
  button.addEventListener('click', () => {
    const email = field('email').value || 'buyer@example.com';
    const values = { email, cardNumber: item.dataset.card, expiry: '12 / 34', cvc: '123' };
    for (const [name, value] of Object.entries(values)) {
      field(name).value = value;
      clearFault(field(name));
    }
    field('cardNumber').form.querySelector('.primary').focus();
  });
  item.append(button);
}

document.querySelector('.test-cards > p')?.append(' Choose one to fill in the form.');

for (const form of document.forms) {
  // After the browser has collected the form: a disabled button would not be part of it.
  form.addEventListener('submit', () => setTimeout(() => setBusy(form, true)));
}
addEventListener('pageshow', () => {
  for (const form of document.forms) setBusy(form, false);
});

function setBusy(form, busy) {
  form.ariaBusy = String(busy);
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
}
