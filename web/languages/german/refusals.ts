/** Why the server refuses what is asked of it. */
export const REFUSALS = {
  'Your bank is looking into this payment, and will decide whether you get the money back.':
    'Ihre Bank prüft diese Zahlung und entscheidet, ob Sie das Geld zurückerhalten.',
  'it contains malware': 'sie Schadsoftware enthält',
  'REST API endpoint not configured.': 'Der REST-API-Endpunkt ist nicht eingerichtet.',
  'Stripe URL not returned.': 'Es kam keine Adresse von Stripe zurück.',
  'This address is malformed. Check that you copied all of it.':
    'Diese Adresse ist fehlerhaft. Prüfen Sie, ob Sie sie vollständig kopiert haben.',
  'This address is too long.': 'Diese Adresse ist zu lang.',
  'The seller has paused this link. Please try again later.':
    'Der Anbieter hat diesen Link pausiert. Bitte versuchen Sie es später erneut.',
  'The payment provider did not open a checkout. Nothing was charged. Please try again in a moment.':
    'Der Zahlungsdienstleister hat keinen Bezahlvorgang eröffnet. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
  'The payment provider is not responding. Nothing was charged. Please try again in a moment.':
    'Der Zahlungsdienstleister antwortet nicht. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
  'A file of this link is damaged on our side, so it cannot be bought at the moment. Nothing was charged.':
    'Eine Datei dieses Links ist auf unserer Seite beschädigt, daher kann er zurzeit nicht gekauft werden. Es wurde nichts abgebucht.',
  'Enter a price in dollars, such as 5 or 4.99.':
    'Geben Sie einen Preis in Dollar ein, zum Beispiel 5 oder 4,99.',
  'Name a price of {price} or more.': 'Nennen Sie einen Preis ab {price}.',
  'This is more than can be paid at once. Remove something, so that no more than {price} is left.':
    'Das ist mehr, als auf einmal bezahlt werden kann. Nehmen Sie etwas heraus, sodass nicht mehr als {price} bleiben.',
  'This link is incomplete or no longer valid. Copy all of it from your receipt.':
    'Dieser Link ist unvollständig oder nicht mehr gültig. Kopieren Sie ihn vollständig aus Ihrem Beleg.',
  'Enter the email address that the gift goes to, such as name@example.com.':
    'Geben Sie die E-Mail-Adresse ein, an die das Geschenk geht, zum Beispiel name@example.com.',
  'With this code it costs nothing, so there is nothing to give. Send them the code instead.':
    'Mit diesem Code kostet es nichts, es gibt also nichts zu verschenken. Verschicken Sie stattdessen den Code.',
  '{why} What was free is among your purchases.':
    '{why} Was kostenlos war, finden Sie unter Ihren Käufen.',
  'The message can have {limit} characters at most.':
    'Die Nachricht darf höchstens {limit} Zeichen lang sein.',
  'The message cannot contain web or email addresses. Put a space after each period.':
    'Die Nachricht darf keine Web- oder E-Mail-Adressen enthalten. Setzen Sie nach jedem Punkt ein Leerzeichen.',
  'No more gifts can be sent to this address today.':
    'An diese Adresse können heute keine weiteren Geschenke gesendet werden.',
  'Anyone can open this link for free. Send them its address instead.':
    'Diesen Link kann jeder kostenlos öffnen. Schicken Sie stattdessen seine Adresse.',
  'Give the link to the other address on your page “Codes and gifts”.':
    'Verschenken Sie den Link an die andere Adresse auf Ihrer Seite „Codes und Geschenke“.',
  'You cannot give any more gifts today.': 'Sie können heute keine weiteren Geschenke machen.',
  'A gift is bought by itself. Press Unlock Now.':
    'Ein Geschenk wird einzeln gekauft. Klicken Sie auf „Jetzt freischalten“.',
  'This gift cannot be opened at the moment.':
    'Dieses Geschenk kann zurzeit nicht geöffnet werden.',
  'This gift has been opened, so it cannot go to another address.':
    'Dieses Geschenk wurde schon geöffnet, daher kann es nicht an eine andere Adresse gehen.',
  'This gift cannot be sent again. Contact support if it did not arrive.':
    'Dieses Geschenk kann nicht noch einmal gesendet werden. Wenden Sie sich an den Support, falls es nicht angekommen ist.',
  'Discount codes do not apply here: you name the price yourself.':
    'Rabattcodes gelten hier nicht: Sie nennen den Preis selbst.',
  'There is no such discount code for this link.':
    'Diesen Rabattcode gibt es für diesen Link nicht.',
  'This discount code has ended.': 'Dieser Rabattcode ist nicht mehr gültig.',
  'This discount code has been used up.': 'Dieser Rabattcode ist aufgebraucht.',
  'You cannot use this discount code again.':
    'Sie können diesen Rabattcode nicht noch einmal einlösen.',
  'This discount code can be used from {time}.': 'Dieser Rabattcode gilt ab {time}.',
  'This discount code could be used until {time}.': 'Dieser Rabattcode galt bis {time}.',
  'This discount code is for prices from {price}.': 'Dieser Rabattcode gilt für Preise ab {price}.',
  'This costs less than can be paid by card, so it cannot be bought. Nothing was charged.':
    'Das kostet weniger, als mit Karte bezahlt werden kann, und kann daher nicht gekauft werden. Es wurde nichts abgebucht.',
  'This discount code would leave less of the price than can be paid by card.':
    'Mit diesem Rabattcode bliebe weniger zu zahlen, als mit Karte bezahlt werden kann.',
  '{why} Nothing was charged.': '{why} Es wurde nichts abgebucht.',
  'A cart can hold {limit} links. Check out, or remove something first.':
    'In den Warenkorb passen {limit} Links. Gehen Sie zur Kasse oder nehmen Sie zuerst etwas heraus.',
  'Something in your cart has changed. Nothing was charged. Review your cart, then check out.':
    'In Ihrem Warenkorb hat sich etwas geändert. Es wurde nichts abgebucht. Sehen Sie ihn noch einmal durch und gehen Sie dann zur Kasse.',
  'This is no longer sold here.': 'Das wird hier nicht mehr verkauft.',
  'This link is your own.': 'Das ist Ihr eigener Link.',
  'A bundle in your cart contains this already.': 'Ein Paket in Ihrem Warenkorb enthält das schon.',
  'You have already bought this.': 'Das haben Sie schon gekauft.',
  'This is free now: you do not have to pay for it.':
    'Das ist jetzt kostenlos: Dafür muss nichts bezahlt werden.',
  'You have no such purchase.': 'Einen solchen Kauf haben Sie nicht.',
  'Enter the email address that you paid with.':
    'Geben Sie die E-Mail-Adresse ein, mit der Sie bezahlt haben.',
  'Enter a valid email address, or leave it blank.':
    'Geben Sie eine gültige E-Mail-Adresse ein oder lassen Sie das Feld leer.',
  'This link is incomplete, or it has expired: it works for an hour. Enter your address to get a new one.':
    'Dieser Link ist unvollständig oder abgelaufen: Er gilt eine Stunde. Geben Sie Ihre Adresse ein, um einen neuen zu erhalten.',
  'This link is incomplete. Copy all of it from your email.':
    'Dieser Link ist unvollständig. Kopieren Sie ihn ganz aus Ihrer E-Mail.',
  'This personal link is incomplete or no longer valid. Copy all of it from your receipt. If it still does not work, find your purchase by the address you paid with: that emails you a new link.':
    'Dieser persönliche Link ist unvollständig oder nicht mehr gültig. Kopieren Sie ihn ganz aus Ihrem Beleg. Wenn er dann immer noch nicht funktioniert, finden Sie Ihren Kauf über die Adresse, mit der Sie bezahlt haben: Sie erhalten dann einen neuen Link per E-Mail.',
  'There is no such purchase.': 'Diesen Kauf gibt es nicht.',
  'The 24 hours for giving back this purchase are over.':
    'Die 24 Stunden, in denen Sie diesen Kauf zurückgeben konnten, sind vorbei.',
  'Your first purchase no longer gives access, so this one stays yours.':
    'Ihr erster Kauf gibt keinen Zugang mehr, daher behalten Sie diesen.',
  'This purchase no longer gives access; it may have been refunded.':
    'Dieser Kauf gibt keinen Zugang mehr; vielleicht wurde er erstattet.',
  'This code is wrong or no longer valid. Please check it, or have a new one sent.':
    'Dieser Code ist falsch oder nicht mehr gültig. Bitte prüfen Sie ihn oder lassen Sie sich einen neuen senden.',
  'Download links work for a limited time. Open the page it came from to get a new one.':
    'Downloadlinks gelten nur für begrenzte Zeit. Öffnen Sie die Seite, von der er stammt, um einen neuen zu erhalten.',
  'This file can no longer be downloaded here. It may have been replaced or removed, or its purchase refunded.':
    'Diese Datei kann hier nicht mehr heruntergeladen werden. Vielleicht wurde sie ersetzt oder entfernt, oder der Kauf wurde erstattet.',
  'This download link is incomplete or was changed. Open the page it came from, or the personal link in your receipt, to get a new one.':
    'Dieser Downloadlink ist unvollständig oder wurde verändert. Öffnen Sie die Seite, von der er stammt, oder den persönlichen Link in Ihrem Beleg, um einen neuen zu erhalten.',
  'This file is damaged on our side and cannot be delivered at the moment. What you paid for is still yours: please try again later, or contact support.':
    'Diese Datei ist auf unserer Seite beschädigt und kann zurzeit nicht geliefert werden. Was Sie bezahlt haben, gehört Ihnen weiterhin: Bitte versuchen Sie es später erneut oder wenden Sie sich an den Support.',
  'The SHA-256 of a file is not known yet, and a signed receipt states it. Please try again in a few minutes.':
    'Der SHA-256-Wert einer Datei ist noch nicht bekannt, und ein signierter Beleg nennt ihn. Bitte versuchen Sie es in einigen Minuten erneut.',
  'A file of this purchase was deleted, so that a signed receipt could not state all that was bought.':
    'Eine Datei dieses Kaufs wurde gelöscht, sodass ein signierter Beleg nicht alles Gekaufte nennen könnte.',
  'Too many searches. Please wait a minute and try again.':
    'Zu viele Suchanfragen. Bitte warten Sie eine Minute und versuchen Sie es dann erneut.',
  'The links could not be loaded.': 'Die Links konnten nicht geladen werden.',
  'At most {limit} links can be pinned. Unpin another one first.':
    'Höchstens {limit} Links können angeheftet werden. Lösen Sie zuerst einen anderen.',
  'Payouts are not sent through the provider here.':
    'Auszahlungen werden hier nicht über den Zahlungsdienstleister gesendet.',
  'Choose a country from the list.': 'Wählen Sie ein Land aus der Liste.',
  'This does not exist.': 'Das gibt es nicht.',
  'The search is longer than {limit} characters. Search for fewer words.':
    'Die Suche ist länger als {limit} Zeichen. Suchen Sie nach weniger Wörtern.',
  'This version is not available to you.': 'Diese Version steht Ihnen nicht zur Verfügung.',
  'This link has no such file.': 'Eine solche Datei hat dieser Link nicht.',
  'This link has no files.': 'Dieser Link hat keine Dateien.',
  'Copies for many buyers are being made at the moment. Please try again in a minute.':
    'Im Augenblick werden Kopien für viele Käufer erstellt. Bitte versuchen Sie es in einer Minute noch einmal.',
  'The database is busy or cannot be reached right now. Please try again in a few seconds.':
    'Die Datenbank ist gerade ausgelastet oder nicht erreichbar. Bitte versuchen Sie es in einigen Sekunden erneut.',
  'This invitation was used or revoked, or it has expired. Ask the operator of this site for another one.':
    'Diese Einladung wurde verwendet oder widerrufen, oder sie ist abgelaufen. Bitten Sie den Betreiber dieser Website um eine neue.',
  'This address was used, is incomplete, or is more than a day old. Restart Padlink, or run “npm run cli -- operator invite”, for another one.':
    'Diese Adresse wurde verwendet, ist unvollständig oder mehr als einen Tag alt. Starten Sie Padlink neu oder führen Sie „npm run cli -- operator invite“ aus, um eine neue zu erhalten.',
} as const;
