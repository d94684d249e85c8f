(function () {
  "use strict";
  var figures = JSON.parse(document.getElementById("figures").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var plots = Array.prototype.slice.call(document.querySelectorAll(".plot"));

  // Names are escaped for plotly; shortening one must not cut an escaped letter in half.
  function cut(name, most) {
    var text = name.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
    var letters = Array.from(text);
    text = letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  // Colours follow the page; print always uses the light ones.
  function themed(name, printing, narrow) {
    var figure = JSON.parse(JSON.stringify(figures[name]));
    var style = getComputedStyle(document.documentElement);
    var text = printing ? "#1d232b" : style.getPropertyValue("--text").trim();
    var night = dark.matches && !printing;
    figure.layout.font.color = text;
    Object.keys(figure.layout).forEach(function (key) {
      if (/^[xy]axis/.test(key)) {
        var axis = figure.layout[key];
        ["linecolor", "tickcolor", "zerolinecolor"].forEach(function (part) { axis[part] = text; });
        if (narrow && axis.ticktext) { axis.ticktext = axis.ticktext.map(function (tick) { return cut(tick, 16); }); }
      }
    });
    figure.data.forEach(function (trace) {
      if (trace.type === "heatmap") {
        if (night) { trace.colorscale = [[0, "#1c2229"], [1, "#6cc0ff"]]; }
        trace.colorbar.tickcolor = text;
        trace.colorbar.outlinecolor = text;
        if (narrow) { trace.colorbar.title.text = ""; }
      }
    });
    figure.layout.hoverlabel = { bgcolor: night ? "#2b333c" : "#ffffff", font: { color: text } };
    return figure;
  }

  function draw(printing) {
    return Promise.all(plots.map(function (plot) {
      var figure = themed(plot.dataset.figure, printing === true, plot.clientWidth < 480);
      return Plotly.react(plot, figure.data, figure.layout, { responsive: true, displayModeBar: false });
    }));
  }

  // Tables can be sorted by their heads and filtered by their first column.
  function sortable(table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    function value(row, i) {
      var cell = row.cells[i], given = cell.dataset.value, number = parseFloat(given || cell.textContent);
      return isNaN(number) ? cell.textContent.trim().toLowerCase() : number;
    }
    heads.forEach(function (head, i) {
      var button = document.createElement("button");
      button.textContent = head.textContent;
      head.textContent = "";
      head.appendChild(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") !== "descending";
        heads.forEach(function (other) { other.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.prototype.slice.call(table.tBodies[0].rows);
        rows.sort(function (a, b) {
          var first = value(a, i), second = value(b, i);
          var order = first < second ? -1 : first > second ? 1 : 0;
          return down ? -order : order;
        });
        rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
      });
    });
  }

  Array.prototype.forEach.call(document.querySelectorAll("table.sortable"), function (table) {
    sortable(table);
    var filter = document.getElementById("filter"), shown = document.getElementById("shown");
    filter.closest(".filter").hidden = false;
    filter.addEventListener("input", function () {
      var text = filter.value.toLowerCase(), n = 0;
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        row.hidden = row.cells[0].textContent.toLowerCase().indexOf(text) < 0;
        n += row.hidden ? 0 : 1;
      });
      shown.textContent = text ? n + (n === 1 ? " column" : " columns") : "";
    });
  });

  // A plot that was folded away has no width until it is shown.
  Array.prototype.forEach.call(document.querySelectorAll("details.inner"), function (part) {
    part.addEventListener("toggle", function () {
      if (part.open) { Array.prototype.forEach.call(part.querySelectorAll(".plot"), function (plot) { Plotly.Plots.resize(plot); }); }
    });
  });

  draw(false).then(function () { document.documentElement.dataset.drawn = String(plots.length); });
  dark.addEventListener("change", function () { draw(false); });
  window.addEventListener("beforeprint", function () { draw(true); });
  window.addEventListener("afterprint", function () { draw(false); });
})();
