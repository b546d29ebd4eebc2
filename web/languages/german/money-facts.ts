/** What the server says of payouts. */
export const MONEY_FACTS = {
  'All money is in your own account at the payment provider.':
    'Alles Geld liegt auf Ihrem eigenen Konto beim Zahlungsdienstleister.',
  'Payouts are made manually here; you do not need to request them.':
    'Auszahlungen erfolgen hier manuell; Sie müssen sie nicht anfordern.',
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
  'The minimum payout is {least}.': 'Die Mindestauszahlung beträgt {least}.',
  'The minimum payout is {least}. {available} is available now.':
    'Die Mindestauszahlung beträgt {least}. Zurzeit sind {available} verfügbar.',
  '{amount} is more than the {available} available.':
    '{amount} sind mehr als die verfügbaren {available}.',
  'This payout is already on its way or completed.':
    'Diese Auszahlung ist schon unterwegs oder abgeschlossen.',
  'There is no such payout.': 'Diese Auszahlung gibt es nicht.',
  'It is waiting for approval, as every first payout does.':
    'Sie wartet auf die Genehmigung, wie jede erste Auszahlung.',
  'The payment provider has not released enough money for it yet. It is tried again every hour.':
    'Der Zahlungsdienstleister hat dafür noch nicht genug Geld freigegeben. Es wird stündlich erneut versucht.',
  'The money is on its way to your payout account.':
    'Das Geld ist unterwegs zu Ihrem Auszahlungskonto.',
  'The bank sent it back.': 'Die Bank hat sie zurückgesandt.',
  '{why} It is tried again once you have changed the bank account, or in a day.':
    '{why} Es wird erneut versucht, sobald Sie das Bankkonto geändert haben, oder in einem Tag.',
  'You canceled it.': 'Sie haben sie abgebrochen.',
  'The operator reversed it at the payment provider.':
    'Der Betreiber hat sie beim Zahlungsdienstleister zurückgeholt.',
  'The payout was canceled.': 'Die Auszahlung wurde abgebrochen.',
  'The bank account details on file are probably incorrect. No bank account could be located with those details.':
    'Die hinterlegten Kontodaten sind vermutlich falsch. Unter ihnen wurde kein Bankkonto gefunden.',
} as const;
