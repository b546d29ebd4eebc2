import { type ConfigData, HtmlValidate } from 'html-validate';

const RULES: ConfigData['rules'] = {
  // How React writes what HTML reads the same.
  'attr-case': 'off',
  'attribute-boolean-style': 'off',
  'doctype-style': 'off',
  'void-style': 'off',
  // React's own ids begin with an underscore, as HTML allows.
  'valid-id': ['error', { relaxed: true }],
  // A title begins with what a creator calls a link, however long.
  'long-title': 'off',
  // The policy's form-action lets no form redirect to another site: there, an anchor is the button.
  'prefer-native-element': ['error', { exclude: ['button'] }],
  // Without JavaScript, a payment that is being settled is looked at again every few seconds.
  'meta-refresh': 'off',
};

const documents = validatorWith(RULES);
// Mail programs know no style sheets.
const mails = validatorWith({ ...RULES, 'no-inline-style': 'off' });

/** What a validator finds wrong in a document, with the place of each. */
export const findDocumentFaults = (html: string) => findFaults(documents, html);

/** What a validator finds wrong in a mail, with the place of each. */
export const findMailFaults = (html: string) => findFaults(mails, html);

function validatorWith(rules: ConfigData['rules']): HtmlValidate {
  return new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:a11y'],
    ...(rules && { rules }),
  });
}

async function findFaults(validator: HtmlValidate, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}
