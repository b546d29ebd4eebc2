// Makes a button of every <a data-padlink="1a2b3c4d">: styled, with title and price. The link
// works without this script too, and opens the paywall itself: never a frame, no cookies.
(() => {
  const { origin } = new URL(document.currentScript.src);
  const style =
    'display:inline-block;padding:12px 22px;border:1px solid #c58c1d;border-radius:10px;' +
    'background:#fabf36;color:#2a1d05;font:600 16px/1.4 system-ui,sans-serif;text-decoration:none';

  async function dress(link) {
    const page = `${origin}/p/${link.dataset.padlink}`;
    link.href = page;
    const answer = await fetch(`${page}/offer.json`, { credentials: 'omit' });
    if (!answer.ok) return;
    const { title, price } = await answer.json();
    // A title has a direction of its own, and leaves the price where it is.
    const name = document.createElement('bdi');
    name.textContent = title;
    link.replaceChildren(name, ` · ${price}`);
    link.style.cssText += style;
  }

  function dressAll() {
    for (const link of document.querySelectorAll('a[data-padlink]')) dress(link).catch(() => {});
  }

  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', dressAll);
  else dressAll();
})();
