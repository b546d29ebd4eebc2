/** What the server says of payouts. */
export const MONEY_FACTS = {
  'All money is in your own account at the payment provider.':
    'Alles Geld liegt auf Ihrem eigenen Konto beim Zahlungsdienstleister.',
  'Payouts are made by hand here, without being asked for.':
    'Auszahlungen erfolgen hier von Hand, ohne dass Sie darum bitten müssen.',
  'Connect a payout account first.': 'Richten Sie zuerst ein Auszahlungskonto ein.',
  'The payment provider is checking your payout account.':
    'Der Zahlungsdienstleister prüft Ihr Auszahlungskonto.',
  'Your payout account is not ready. The payment provider still needs {missing}.':
    'Ihr Auszahlungskonto ist noch nicht bereit. Dem Zahlungsdienstleister fehlt noch: {missing}.',
  'a bank account': 'ein Bankkonto',
  'proof of identity': 'ein Identitätsnachweis',
  'an identification number': 'eine Identifikationsnummer',
  'agreement to the payment provider’s terms':
    'die Zustimmung zu den Bedingungen des Zahlungsdienstleisters',
  'a date of birth': 'ein Geburtsdatum',
  'an address': 'eine Anschrift',
  'a phone number': 'eine Telefonnummer',
  'an email address': 'eine E-Mail-Adresse',
  'a name': 'ein Name',
  'a description of the business': 'eine Beschreibung der Geschäftstätigkeit',
  'further details': 'weitere Angaben',
  'Payouts are held until {time}, because your email address or password was changed.':
    'Auszahlungen sind bis {time} angehalten, weil Ihre E-Mail-Adresse oder Ihr Passwort geändert wurde.',
  'Payouts are held until {time}, because the bank account was changed.':
    'Auszahlungen sind bis {time} angehalten, weil das Bankkonto geändert wurde.',
  'Your balance is {amount} below zero. New sales make up for it first.':
    'Ihr Guthaben liegt {amount} unter null. Neue Verkäufe gleichen das zuerst aus.',
  'The smallest payout is {least}.': 'Die kleinste Auszahlung beträgt {least}.',
  'The smallest payout is {least}. {available} is available now.':
    'Die kleinste Auszahlung beträgt {least}. Zurzeit sind {available} verfügbar.',
  '{amount} is more than the {available} available.':
    '{amount} sind mehr als die verfügbaren {available}.',
  'This payout is on its way already, or over.':
    'Diese Auszahlung ist schon unterwegs oder abgeschlossen.',
  'There is no such payout.': 'Diese Auszahlung gibt es nicht.',
  'It waits for approval, as a first payout does.':
    'Sie wartet auf die Genehmigung, wie jede erste Auszahlung.',
  'The payment provider has not released enough money for it yet. It is tried again every hour.':
    'Der Zahlungsdienstleister hat dafür noch nicht genug Geld freigegeben. Es wird stündlich erneut versucht.',
  'The money is on its way to your payout account.':
    'Das Geld ist unterwegs zu Ihrem Auszahlungskonto.',
  'The bank sent it back.': 'Die Bank hat sie zurückgesandt.',
  '{why} It is tried again once you have changed the bank account, or in a day.':
    '{why} Es wird erneut versucht, sobald Sie das Bankkonto geändert haben, oder in einem Tag.',
  'You took it back.': 'Sie haben sie zurückgenommen.',
  'The operator took it back at the payment provider.':
    'Der Betreiber hat sie beim Zahlungsdienstleister zurückgeholt.',
  'The payout was canceled.': 'Die Auszahlung wurde abgebrochen.',
  'The bank account details on file are probably incorrect. No bank account could be located with those details.':
    'Die hinterlegten Kontodaten sind vermutlich falsch. Unter ihnen wurde kein Bankkonto gefunden.',
} as const;
