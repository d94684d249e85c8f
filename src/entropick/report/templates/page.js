(function () {
  "use strict";

  // The cells of a row that was kept as text, in the form of another row.
  function rowLike(model, line) {
    var row = model.cloneNode(true), cells = row.cells, last = cells.length - 1;
    row.className = line[1] ? "kept" : "";
    cells[0].firstElementChild.textContent = line[0];
    cells[1].textContent = line[1] ? "yes" : "no";
    line[2].forEach(function (text, i) { cells[2 + i].textContent = text; });
    cells[last - 2].firstChild.data = line[3] === null ? "—" : line[3];
    cells[last - 2].querySelector(".bar > span").style.width = line[4] + "%";
    cells[last - 1].textContent = line[5];
    cells[last].textContent = line[6];
    return row;
  }

  // Tables can be sorted by their heads; what has no number comes last among numbers.
  function value(row, i) {
    var text = row.cells[i].textContent.trim(), number = parseFloat(text);
    return text === "—" ? -Infinity : isNaN(number) ? text.toLowerCase() : number;
  }

  function sortable(table, complete) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, i) {
      var button = document.createElement("button");
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        complete();
        var down = head.getAttribute("aria-sort") !== "descending";
        heads.forEach(function (other) { other.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.from(table.tBodies[0].rows, function (row) { return [value(row, i), row]; });
        rows.sort(function (a, b) { return (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (down ? -1 : 1); });
        rows.forEach(function (pair) { table.tBodies[0].appendChild(pair[1]); });
      });
    });
  }

  var table = document.querySelector("table.sortable"), body = table && table.tBodies[0];
  if (!table) { return; }

  // Of very many columns only the first are in the table at once; the others come when someone asks for them.
  var rest = document.getElementById("rest"), more = document.getElementById("more");
  function complete() {
    if (!rest) { return; }
    var lines = JSON.parse(rest.textContent), added = document.createDocumentFragment();
    lines.forEach(function (line) { added.appendChild(rowLike(body.rows[0], line)); });
    body.appendChild(added);
    rest = null;
    more.hidden = true;
  }
  if (rest) {
    var button = document.createElement("button");
    button.className = "more";
    button.textContent = "Show all " + more.dataset.all + " columns";
    button.addEventListener("click", complete);
    more.replaceChildren(button);
  }

  sortable(table, complete);
  var filter = document.getElementById("filter"), shown = document.getElementById("shown");
  filter.closest(".filter").hidden = false;
  filter.addEventListener("input", function () {
    complete();
    var text = filter.value.toLowerCase(), n = 0;
    Array.from(body.rows).forEach(function (row) {
      row.hidden = row.cells[0].textContent.toLowerCase().indexOf(text) < 0;
      n += row.hidden ? 0 : 1;
    });
    shown.textContent = text ? n + (n === 1 ? " column" : " columns") : "";
  });
})();
